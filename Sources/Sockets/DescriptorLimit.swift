import CLinux
import Glibc

/// The number of descriptors that this process may have open at a time.
public enum DescriptorLimit {
    /// Raises the limit as far as the system allows.
    ///
    /// - Returns: The limit from now on.
    public static func raise() throws(SystemError) -> Int {
        var limit = rlimit()
        _ = try call("getrlimit") { getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
        guard limit.rlim_cur < limit.rlim_max else { return Int(clamping: limit.rlim_cur) }
        limit.rlim_cur = limit.rlim_max
        _ = try call("setrlimit") { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
        return Int(clamping: limit.rlim_cur)
    }
}

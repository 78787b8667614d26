import CLinux
import Glibc

/// One-way hashes of secrets, by the C library's `crypt`.
///
/// SHA-512 crypt with the fewest rounds there are (1,000, about a millisecond). More rounds, or a
/// method that takes much memory, slow down whoever guesses what a person has thought up. Our secrets
/// are 256 random bits, which nobody guesses: more would only slow down the server, and put its memory
/// into the hands of those who send it wrong tokens.
public enum SecretHash {
    /// Hashes a secret for keeping, with a salt that no other has.
    public static func make(of secret: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let salt = String((0..<16).map { _ in saltLetters.randomElement(using: &generator) ?? "." })
        guard let hash = hash(secret, as: "$6$rounds=1000$\(salt)$") else {
            preconditionFailure("SHA-512 crypt takes every text of at most 512 bytes")
        }
        return hash
    }

    /// Hashes a secret the way that a hash was made.
    ///
    /// - Parameters:
    ///   - secret: At most 511 bytes, without NUL.
    ///   - setting: A hash that was kept; it is equal to the result if the secret is the same.
    /// - Returns: `nil` if the C library does not know such hashes.
    public static func hash(_ secret: String, as setting: String) -> String? {
        // What crypt.h calls `struct crypt_data`, which is too large for Swift to import. It is to be
        // zero before its first use, and the library erases what it has worked with.
        let size = 32_768
        let data = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { data.deallocate() }
        data.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        return crypt_rn(secret, setting, data, CInt(size)).map { String(cString: $0) }
    }

    private static let saltLetters = Array(
        "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    )
}

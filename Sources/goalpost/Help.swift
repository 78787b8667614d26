extension Goalpost {
    /// What `--help` prints.
    static var help: String {
        """
        Goalpost \(version): a self-hosted backend for savings goals.

        Usage:
          goalpost [SETTING ...]         serves the API until it is stopped
          goalpost health [SETTING ...]  asks a running server whether it is ready
          goalpost check [FILE] [SETTING ...]
                                         examines a data file, be it that of a running server
          goalpost backup FILE [SETTING ...]
                                         copies the data of a running server, or of none, to FILE
          goalpost restore FILE [SETTING ...]
                                         puts a copy in the place of the data of a stopped server
          goalpost account add NAME | list | rename NAME NEW | disable NAME | enable NAME |
                           delete NAME [SETTING ...]
                                         sees to who has goals of their own
          goalpost token add ACCOUNT [--name NAME] [--read-only] [--expires DAYS] |
                         list [ACCOUNT] | revoke ID [SETTING ...]
                                         sees to what lets a client into an account
          goalpost --help | --version

        Each setting is a flag or an environment variable; the flag wins. GOALPOST_TOKEN, which is a
        variable alone, gives the default account a token that is in no file.

        \(Setting.all.map(\.description).joined(separator: "\n"))
        """
    }
}

extension Setting {
    /// The lines of the help about this setting.
    fileprivate var description: String {
        """
          \(flag)\(isSwitch ? "" : " ")\(placeholder)  (\(variable); \(defaultValue))
              \(help)
        """
    }
}

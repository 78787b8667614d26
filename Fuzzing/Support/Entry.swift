/// What libFuzzer calls with each input.
///
/// - Returns: Zero, which lets it add the input to its corpus.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    check(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the process, and so makes a finding of the input, unless a property holds.
func expect(
    _ holds: @autoclosure () -> Bool,
    _ property: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line
) {
    // The process must end here: libFuzzer takes that, and nothing else, for a finding.
    guard holds() else { fatalError(property(), file: file, line: line) }
}

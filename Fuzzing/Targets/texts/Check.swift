import Foundation
import Goals

/// Checks what is made of a title, a note, and what is searched for.
func check(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if let title = Title(text)?.text {
        expect(isSame(Title(title)?.text, title), "Normalizing twice changes \(escaped(title))")
        expect(title.count <= 200, "A title has \(title.count) characters")
        expect(!title.contains("  "), "A title has two blanks in a row")
        expect(title.first != " " && title.last != " ", "A title has blanks at its ends")
    }
    if let note = Note(text) {
        expect(isSame(note.text, text), "A note is not kept as it was")
    }
    // Folding promises more, but only for texts that mean something.
    expect(isSame(TextFolding.fold(text), TextFolding.fold(text)), "A text folds in two ways")
}

/// Whether texts are the same byte for byte, and not only to the eye.
private func isSame(_ one: String?, _ other: String) -> Bool {
    one.map { $0.utf8.elementsEqual(other.utf8) } ?? false
}

/// A text as the numbers of its scalars.
private func escaped(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
}

// Which names a file may have on its way: one plain component, so that it can land nowhere but in the chosen directory.

enum FileName {
    static let byteLimit = 255

    /// What is wrong with a name, or nil where a file may have it.
    static func fault(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.count > byteLimit { return "has \(name.utf8.count) bytes, the limit is \(byteLimit)" }
        if name == "." || name == ".." { return "is “\(name)”, which is a folder" }
        let wrong = name.unicodeScalars.first { $0 == "/" || $0 == "\\" || $0.properties.generalCategory == .control }
        guard let wrong else { return nil }
        return "contains the character U+" + String(wrong.value, radix: 16, uppercase: true) + "; send one plain name"
    }

    /// The name to try when `count - 1` others are taken: “notes.txt”, “notes 2.txt”, “notes 3.txt”.
    static func variant(_ name: String, _ count: Int) -> String {
        guard count > 1 else { return name }
        let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
        let tail = " \(count)" + name[dot...]
        var stem = String(name[..<dot])
        while !stem.isEmpty, stem.utf8.count + tail.utf8.count > byteLimit { stem.removeLast() }
        return stem + tail
    }
}

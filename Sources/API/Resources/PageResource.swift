/// A page of a list as clients see it.
struct PageResource<Item: JSONWritable>: JSONWritable {
    let items: [Item]

    /// What the next page begins with; `nil` on the last one.
    let nextCursor: String?

    var likelyBytes: Int { items.reduce(256) { $0 + $1.likelyBytes + 1 } }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("items", array: items)
            json.member("nextCursor", nextCursor)
        }
    }
}

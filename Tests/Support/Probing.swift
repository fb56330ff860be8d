import WeirTesting

extension Probe {
    /// A probe that attaches and asks at once.
    ///
    /// - Parameters:
    ///   - demand: asked for at once; nil asks for nothing.
    ///   - uses: answers for each element whether it used demand.
    ///   - onNext: runs inside the handler.
    package convenience init(
        _ source: some ObservableConvertible<Element, Failure>, _ demand: Demand? = nil,
        uses: @escaping @Sendable (Element) -> Bool = { _ in true },
        onNext: @escaping @Sendable (Probe, Element) -> Void = { _, _ in },
        onDone: @escaping @Sendable (Probe) -> Void = { _ in }
    ) {
        self.init(
            next: { probe, element in
                let used = uses(element)
                onNext(probe, element)
                return used
            }, done: { probe, _ in onDone(probe) })
        attach(to: source)
        if let demand { request(demand) }
    }

    package var end: Completion<Failure>? { completion }

    /// Cancels and lets the subscription go, as a token does.
    package func release() {
        cancel()
        drop()
    }

    /// Elements, then `|` for the end or `#` and the failure; what the stream did wrong stands behind it in brackets.
    package var text: String {
        var words = elements.map { "\($0)" }
        switch completion {
        case .finished: words.append("|")
        case .failed(let error): words.append("#\(error)")
        case nil: break
        }
        if faults != ProbeFaults() { words.append("[\(faults)]") }
        return words.joined(separator: " ")
    }
}

extension TestSource {
    /// How a scripted source goes on after its elements.
    package enum Ending {
        case finish
        case fail(Failure)
        /// Neither an end nor an element any more.
        case silence
        /// Lets the observer go without an end, as a subject does that nobody holds any more.
        case loss
    }

    /// A source with a script, for each subscription anew.
    package convenience init(_ elements: [Element], _ ending: Ending) {
        switch ending {
        case .finish: self.init(elements, end: .finished)
        case .fail(let error): self.init(elements, end: .failed(error))
        case .silence: self.init(elements)
        case .loss: self.init(elements, dropsObserver: true)
        }
    }

    /// What was asked of it, as in `attach, request 1, cancel`.
    package var calls: String {
        log.filter { $0 == "attach" || $0 == "cancel" || $0.hasPrefix("request ") }.joined(separator: ", ")
    }
    package var cancels: Int { links.reduce(0) { $0 + $1.cancels } }
    package var attaches: Int { links.count }
}

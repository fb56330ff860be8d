import Weir
import WeirSupport

/// What became of a query.
enum SearchOutcome: Sendable {
    case found(query: String, [Photo])
    case failed(query: String, String)
}

/// The view model: one function from what is typed to what is shown. It collects no subscription.
struct SearchModel: Sendable {
    /// The quiet period before a text counts as a query.
    static let quiet = Duration.milliseconds(500)

    let search: @Sendable (String) -> Observable<SearchAnswer, any Error>

    /// Queries with their outcome. A failure is replaced inside, so the search lives on; a newer query cancels the one
    /// that runs; an empty one gives nothing, without a request.
    func bind<S: Scheduler>(query: Observable<String, Never>, on scheduler: S) -> Observable<SearchOutcome, Never> {
        let search = search
        return
            query
            .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .debounce(for: Self.quiet, on: scheduler)
            .removeDuplicates()
            .flatMapLatest { text -> Observable<SearchOutcome, Never> in
                if text.isEmpty { return .just(.found(query: text, [])) }
                return search(text)
                    .map { SearchOutcome.found(query: text, $0.results) }
                    .catch { Observable<SearchOutcome, Never>.just(.failed(query: text, "\($0)")) }
            }
    }
}

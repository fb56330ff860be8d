// A chain as a reader would write it.

extension Chain: CustomStringConvertible {
    var description: String { text("") }

    fileprivate func text(_ margin: String) -> String {
        let inner = margin + "    "
        return ([source.description] + stages.map { inner + "." + $0.text(inner) }).joined(separator: "\n")
    }
}

extension ChainSource: CustomStringConvertible {
    var description: String {
        switch self {
        case .sequence(let values): "Observable(\(values))"
        case .created(let values, let fails):
            "Observable.create { \(values.map { "$0.send(\($0))" }.joined(separator: "; ")); $0.\(fails ? "fail(…)" : "finish()") }"
        case .just(let value): "Observable.just(\(value))"
        case .empty: "Observable.empty()"
        case .never: "Observable.never()"
        case .fail: "Observable.fail(TestFailure(\"fail\"))"
        case .publish(let feed): "PublishSubject(\(feed))"
        case .behavior(let value, let feed): "BehaviorSubject(\(value), \(feed))"
        case .element(1): "Observable.just(x)"
        case .element(let count): "Observable(x..<x + \(count))"
        }
    }
}

extension ChainFeed: CustomStringConvertible {
    var description: String {
        let lines = sends.map { "\($0)" } + (end.map { ["\($0)"] } ?? [])
        return lines.isEmpty ? "silent" : lines.joined(separator: ", ")
    }
}

extension ChainEvent: CustomStringConvertible {
    var description: String { "\(value) at \(time)" }
}

extension ChainEnd: CustomStringConvertible {
    var description: String { "\(failure.map { "failed(\($0))" } ?? "finished") at \(time)" }
}

extension ChainStage {
    fileprivate func text(_ margin: String) -> String {
        let side = side?.text(margin) ?? ""
        return switch self {
        case .map(let number): "map { $0 + \(number) }"
        case .mapThrowing(let rest): "map { if $0 % 7 == \(rest) { throw … } }"
        case .filter(let number): "filter { $0 % \(number) != 0 }"
        case .filterThrowing(let rest): "filter { if $0 % 7 == \(rest) { throw … } }"
        case .compactMap(let number): "compactMap { $0 % \(number) == 0 ? nil : $0 + 1 }"
        case .scan: "scan(1) { ($0 * 31 + $1) % 1_000 }"
        case .decode(let limit): "decode(limit: \(limit))"
        case .removeDuplicates: "removeDuplicates { $0 / 2 == $1 / 2 }"
        case .prefix(let count): "prefix(\(count))"
        case .prefixWhile(let rest): "prefix { $0 % 11 != \(rest) }"
        case .dropFirst(let count): "dropFirst(\(count))"
        case .flatMap(let count, _):
            "flatMap\(count.map { "(maxConcurrent: \($0))" } ?? "") { x in \(side) }"
        case .flatMapLatest: "flatMapLatest { x in \(side) }"
        case .merge: "merge(with: \(side))"
        case .concat: "concat(\(side))"
        case .combineLatest: "combineLatest(with: \(side))"
        case .zip: "zip(with: \(side))"
        case .share(let count): "share(replay: \(count))"
        case .shareInTwo(let count): "share(replay: \(count)) merged with itself"
        case .debounce(let time, let flushes): "debounce(for: \(time)\(flushes ? "" : ", flushAtCompletion: false"))"
        case .delay(let time): "delay(for: \(time))"
        case .throttle(let time, let latest): "throttle(for: \(time)\(latest ? "" : ", latest: false"))"
        case .buffer: "buffer(.unbounded)"
        case .debug: "debug(…)"
        case .named: "named(…)"
        case .repeat(let count): "repeat(\(count))"
        case .receive(let lag, let count): "receive(on: clock that lags \(lag), prefetch: \(count))"
        case .catch: "catch { _ in \(side) }"
        case .replaceError(let value): "replaceError(with: \(value))"
        case .mapError: "mapError { … }"
        case .setFailureType: "setFailureType(to: TestFailure.self)"
        }
    }
}

// A map of few at a time, mostly of numbers that grow: what is open, in flight, under way. In the order of its keys.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace strandline::testkit::sim {

template <class Key, class Value>
class few {
public:
    using iterator = typename std::vector<std::pair<Key, Value>>::iterator;
    using const_iterator = typename std::vector<std::pair<Key, Value>>::const_iterator;

    Value& operator[](const Key& key) { return try_emplace(key).first->second; }
    // False: there is one already, and it stays.
    template <class... Arguments>
    std::pair<iterator, bool> try_emplace(const Key& key, Arguments&&... arguments) {
        const auto at = reaching(key);
        if (at != all_.end() && at->first == key) return {at, false};
        return {all_.emplace(at, key, Value(std::forward<Arguments>(arguments)...)), true};
    }
    std::optional<Value> take(const Key& key) {
        const auto at = find(key);
        if (at == all_.end()) return std::nullopt;
        std::optional<Value> taken(std::move(at->second));
        all_.erase(at);
        return taken;
    }
    void erase(const Key& key) {
        const auto at = find(key);
        if (at != all_.end()) all_.erase(at);
    }
    template <class Condition>
    void erase_if(Condition&& holds) {
        std::erase_if(all_, holds);
    }
    void clear() noexcept { all_.clear(); }

    iterator find(const Key& key) {
        const auto at = reaching(key);
        return at != all_.end() && at->first == key ? at : all_.end();
    }
    const_iterator find(const Key& key) const {
        return std::find_if(all_.begin(), all_.end(), [&](const auto& one) { return one.first == key; });
    }
    iterator begin() noexcept { return all_.begin(); }
    iterator end() noexcept { return all_.end(); }
    const_iterator begin() const noexcept { return all_.begin(); }
    const_iterator end() const noexcept { return all_.end(); }

private:
    // The newest are asked for most.
    iterator reaching(const Key& key) {
        auto at = all_.end();
        while (at != all_.begin() && !((at - 1)->first < key)) --at;
        return at;
    }

    std::vector<std::pair<Key, Value>> all_;
};

}  // namespace strandline::testkit::sim

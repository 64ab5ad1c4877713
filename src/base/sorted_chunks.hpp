// Values in order, in chunks of a few dozen: little more memory than a vector takes, and what one change costs hardly
// depends on how many there are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace strandline::base {

// By what they are ordered is said with each call: `compare(value, key)` is below zero, zero or above zero, as the
// value stands before the key, is the one it means, or stands behind it. All calls of one container must agree.
template <class Value, std::size_t Capacity = 64>
class sorted_chunks {
    using chunk = std::vector<Value>;

public:
    class const_iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Value;
        using difference_type = std::ptrdiff_t;
        using pointer = const Value*;
        using reference = const Value&;

        const_iterator() = default;
        reference operator*() const noexcept { return (*at_)[inside_]; }
        pointer operator->() const noexcept { return &**this; }
        const_iterator& operator++() noexcept {
            if (++inside_ == at_->size()) {
                ++at_;
                inside_ = 0;
            }
            return *this;
        }
        const_iterator operator++(int) noexcept {
            auto before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const const_iterator&, const const_iterator&) = default;

    private:
        friend class sorted_chunks;
        explicit const_iterator(typename std::vector<chunk>::const_iterator at) : at_(at) {}
        typename std::vector<chunk>::const_iterator at_;
        std::size_t inside_ = 0;
    };

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }
    const_iterator begin() const noexcept { return const_iterator(chunks_.begin()); }
    const_iterator end() const noexcept { return const_iterator(chunks_.end()); }

    template <class Key, class Compare>
    const Value* find(const Key& key, Compare compare) const {
        const auto at = chunk_of(chunks_.begin(), chunks_.end(), key, compare);
        if (at == chunks_.end()) return nullptr;
        const auto found = place_in(at->begin(), at->end(), key, compare);
        return found != at->end() && compare(*found, key) == 0 ? &*found : nullptr;
    }

    // False: there is one already, and it stays.
    template <class Key, class Compare>
    bool insert(const Key& key, Value value, Compare compare) {
        if (chunks_.empty()) chunks_.emplace_back();
        auto at = chunk_of(chunks_.begin(), chunks_.end(), key, compare);
        // Behind everything: to the end of the last.
        if (at == chunks_.end()) --at;
        auto place = place_in(at->begin(), at->end(), key, compare);
        if (place != at->end() && compare(*place, key) == 0) return false;
        if (at->size() == Capacity) {
            const auto inside = place - at->begin();
            at = split(at, static_cast<std::size_t>(inside));
            place = place_in(at->begin(), at->end(), key, compare);
        }
        at->insert(place, std::move(value));
        ++size_;
        return true;
    }

    // It takes the place of one that is there already. The key may lie behind what the value refers to.
    template <class Key, class Compare>
    void insert_or_assign(const Key& key, Value value, Compare compare) {
        if (const auto* const known = find(key, compare)) {
            *const_cast<Value*>(known) = std::move(value);
        } else {
            insert(key, std::move(value), compare);
        }
    }

    template <class Key, class Compare>
    bool erase(const Key& key, Compare compare) {
        const auto at = chunk_of(chunks_.begin(), chunks_.end(), key, compare);
        if (at == chunks_.end()) return false;
        const auto place = place_in(at->begin(), at->end(), key, compare);
        if (place == at->end() || compare(*place, key) != 0) return false;
        at->erase(place);
        --size_;
        tidy(at);
        return true;
    }

    void clear() noexcept {
        chunks_.clear();
        size_ = 0;
    }

private:
    using chunk_place = typename std::vector<chunk>::iterator;

    // The first chunk that does not lie before the key as a whole.
    template <class Iterator, class Key, class Compare>
    static Iterator chunk_of(Iterator first, Iterator last, const Key& key, Compare compare) {
        return std::partition_point(first, last,
                                    [&](const chunk& one) { return !one.empty() && compare(one.back(), key) < 0; });
    }
    template <class Iterator, class Key, class Compare>
    static Iterator place_in(Iterator first, Iterator last, const Key& key, Compare compare) {
        return std::partition_point(first, last, [&](const Value& one) { return compare(one, key) < 0; });
    }

    // Makes room for one more at `inside` of a full chunk. What comes in order leaves full chunks behind it.
    chunk_place split(chunk_place full, std::size_t inside) {
        const auto kept = inside == Capacity ? Capacity : Capacity / 2;
        chunk rest(std::make_move_iterator(full->begin() + static_cast<std::ptrdiff_t>(kept)),
                   std::make_move_iterator(full->end()));
        full->erase(full->begin() + static_cast<std::ptrdiff_t>(kept), full->end());
        const auto next = chunks_.insert(full + 1, std::move(rest));
        return inside > kept || next->empty() ? next : next - 1;
    }

    // No chunk is left empty, nor two beside each other that one could hold with room to spare.
    void tidy(chunk_place at) {
        if (at->empty()) {
            chunks_.erase(at);
            return;
        }
        const auto next = at + 1;
        if (next == chunks_.end() || at->size() + next->size() > Capacity / 2) return;
        at->insert(at->end(), std::make_move_iterator(next->begin()), std::make_move_iterator(next->end()));
        chunks_.erase(next);
    }

    std::vector<chunk> chunks_;
    std::size_t size_ = 0;
};

}  // namespace strandline::base

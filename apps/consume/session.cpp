#include "apps/consume/session.hpp"

#include <strandline/explanation.hpp>

namespace strandline::apps::consume {

void session::look_around() {
    if (stopper.take_explanation_wanted()) notes.always(to_string(source.explain()));
    if (auto why = reach.look()) fail(std::move(*why));
    quiet.look(out.written().records, silence::clock::now());
    line.redraw(out.written().records);
}

}  // namespace strandline::apps::consume

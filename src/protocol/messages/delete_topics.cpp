#include "protocol/messages/delete_topics.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::delete_topics_request>;
template struct message_codec<messages::delete_topics_response>;

}  // namespace strandline::protocol

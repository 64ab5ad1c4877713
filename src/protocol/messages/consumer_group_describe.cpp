#include "protocol/messages/consumer_group_describe.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::consumer_group_describe_request>;
template struct message_codec<messages::consumer_group_describe_response>;

}  // namespace strandline::protocol

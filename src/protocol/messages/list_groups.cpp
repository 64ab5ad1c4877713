#include "protocol/messages/list_groups.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::list_groups_request>;
template struct message_codec<messages::list_groups_response>;

}  // namespace strandline::protocol

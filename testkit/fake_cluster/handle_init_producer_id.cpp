// InitProducerId (22), versions 0 to 5. 3 tells who the producer takes itself for (KIP-360); 4 answers PRODUCER_FENCED.
#include <chrono>

#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::init_producer_id_request& request, call& call) {
    messages::init_producer_id_response response;
    response.producer_epoch = -1;
    if (request.transactional_id) response.error_code = check_coordinator(call, *request.transactional_id);
    if (response.error_code != broker_error::none) return reply::now(std::move(response));
    const auto made = call.all.transactions.init(
        request.transactional_id, std::chrono::milliseconds(request.transaction_timeout_ms), call.wall,
        {broker_error::none, request.producer_id.value(), request.producer_epoch});
    const bool older = call.version() < 4 && made.error == broker_error::producer_fenced;
    response.error_code = older ? broker_error::invalid_producer_epoch : made.error;
    response.producer_id = protocol::producer_id(made.producer_id);
    response.producer_epoch = made.producer_epoch;
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake

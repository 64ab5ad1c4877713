// AddOffsetsToTxn (25), versions 0 to 4. 2 answers PRODUCER_FENCED. Producers of transaction.version 2 do not send it.
#include "testkit/fake_cluster/group_check.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/transaction_coordinator.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

reply handle(const messages::add_offsets_to_txn_request& request, call& call) {
    messages::add_offsets_to_txn_response response;
    response.error_code = check_coordinator(call, request.transactional_id);
    if (response.error_code == broker_error::none) {
        response.error_code = call.all.transactions.add_group(request.transactional_id, request.producer_id.value(),
                                                              request.producer_epoch, request.group_id, call.now);
    }
    if (call.version() < 2 && response.error_code == broker_error::producer_fenced) {
        response.error_code = broker_error::invalid_producer_epoch;
    }
    return reply::now(std::move(response));
}

}  // namespace strandline::testkit::fake

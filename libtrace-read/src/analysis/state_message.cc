#include "state_message.h"

#include <capnp/message.h>

#include <algorithm>
#include <cstring>

#include "libtrace-read/src/guarded_message.h"
#include "state.capnp.h"

namespace evt {
namespace {

constexpr int kNesting = 8;

void write_actors(capnp::List<state::Actor>::Builder to, const std::vector<Actor>& from) {
  for (unsigned i = 0; i < from.size(); ++i) {
    state::Actor::Builder actor = to[i];
    actor.setNumber(from[i].number);
    actor.setPart(from[i].part);
    actor.setIsStream(from[i].is_stream);
    actor.setName(capnp::Text::Reader(from[i].name.data(), from[i].name.size()));
  }
}

void write_numbers(capnp::List<std::uint32_t>::Builder to, const std::vector<std::uint32_t>& from) {
  for (unsigned i = 0; i < from.size(); ++i) to.set(i, from[i]);
}

void read_actors(capnp::List<state::Actor>::Reader from, std::vector<Actor>* to) {
  for (const state::Actor::Reader actor : from) {
    const capnp::Text::Reader name = actor.getName();
    to->push_back({actor.getNumber(), actor.getPart(), actor.getIsStream(), {name.begin(), name.size()}});
  }
}

void read_session(state::Session::Reader from, StateDirectory::OfSession* to) {
  const capnp::Data::Reader uuid = from.getUuid();
  std::copy_n(uuid.begin(), std::min(uuid.size(), to->uuid.size()), to->uuid.begin());
  to->rows = from.getRows();
  read_actors(from.getThreads(), &to->threads);
  read_actors(from.getCpus(), &to->cpus);
  for (const std::uint32_t thread : from.getCellThreads()) to->cell_threads.push_back(thread);
  for (const std::uint32_t cpu : from.getCellCpus()) to->cell_cpus.push_back(cpu);
  for (const state::Checkpoint::Reader each : from.getCheckpoints()) {
    to->checkpoints.push_back(
        {each.getNs(), each.getOffset(), each.getSize(), each.getWords(), each.getCrc(), each.getIsDelta()});
  }
}

void write_session(state::Session::Builder to, const StateDirectory::OfSession& from) {
  to.setUuid(capnp::Data::Reader(from.uuid.data(), from.uuid.size()));
  to.setRows(from.rows);
  const auto count = [](const auto& list) { return static_cast<unsigned>(list.size()); };
  write_actors(to.initThreads(count(from.threads)), from.threads);
  write_actors(to.initCpus(count(from.cpus)), from.cpus);
  write_numbers(to.initCellThreads(count(from.cell_threads)), from.cell_threads);
  write_numbers(to.initCellCpus(count(from.cell_cpus)), from.cell_cpus);
  auto checkpoints = to.initCheckpoints(count(from.checkpoints));
  for (unsigned i = 0; i < checkpoints.size(); ++i) {
    const StateCheckpoint& checkpoint = from.checkpoints[i];
    checkpoints[i].setNs(checkpoint.ns);
    checkpoints[i].setOffset(checkpoint.offset);
    checkpoints[i].setSize(checkpoint.size);
    checkpoints[i].setWords(checkpoint.words);
    checkpoints[i].setCrc(checkpoint.crc);
    checkpoints[i].setIsDelta(checkpoint.is_delta);
  }
}

}  // namespace

// In one segment, without a table of them.
std::vector<std::byte> encode(const StateDirectory& directory) {
  capnp::MallocMessageBuilder builder;
  auto root = builder.initRoot<state::Directory>();
  root.setTraceSize(directory.trace_size);
  auto sessions = root.initSessions(static_cast<unsigned>(directory.sessions.size()));
  for (unsigned i = 0; i < sessions.size(); ++i) write_session(sessions[i], directory.sessions[i]);
  capnp::MallocMessageBuilder whole(static_cast<unsigned>(builder.sizeInWords()) + 8);
  whole.setRoot(root.asReader());
  const auto segment = whole.getSegmentsForOutput()[0];
  std::vector<std::byte> bytes(segment.size() * sizeof(capnp::word));
  std::memcpy(bytes.data(), segment.begin(), bytes.size());
  return bytes;
}

bool decode(Bytes message, StateDirectory* directory) {
  if (message.empty()) return false;
  return with_message<state::Directory>(message, kNesting, [&](state::Directory::Reader root) {
    directory->trace_size = root.getTraceSize();
    // A list of structs without any words can claim any length.
    const auto sessions = root.getSessions();
    const auto most = static_cast<unsigned>(message.size() / sizeof(capnp::word));
    for (unsigned i = 0; i < std::min(sessions.size(), most); ++i) {
      read_session(sessions[i], &directory->sessions.emplace_back());
    }
  });
}

}  // namespace evt

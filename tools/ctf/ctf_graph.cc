#include "ctf_graph.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "stream_folder.h"

namespace evt::ctf {
namespace {

template <auto Put>
struct Put_ {
  template <typename T>
  void operator()(const T* object) const {
    Put(object);
  }
};
template <typename T, auto Put>
using Ref = std::unique_ptr<const T, Put_<Put>>;

// What the library states of its last error: the first cause has the details.
std::string last_error(const std::string& otherwise) {
  const bt_error* const error = bt_current_thread_take_error();
  if (error == nullptr) return otherwise;
  std::string text = otherwise;
  if (bt_error_get_cause_count(error) > 0) {
    text = bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0));
  }
  bt_error_release(error);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Folders that have a file `metadata`, in order.
std::vector<std::string> traces_below(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> traces;
  std::error_code error;
  if (fs::is_regular_file(fs::path(folder) / "metadata", error)) traces.push_back(folder);
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_directory(error) && fs::is_regular_file(at->path() / "metadata", error)) traces.push_back(at->path());
  }
  std::sort(traces.begin(), traces.end());
  return traces;
}

struct Sink {
  CtfMessages* messages = nullptr;
  bt_message_iterator* iterator = nullptr;
  bool has_failed = false;
};

bt_graph_simple_sink_component_initialize_func_status begin(bt_message_iterator* iterator, void* sink) {
  static_cast<Sink*>(sink)->iterator = iterator;
  return BT_GRAPH_SIMPLE_SINK_COMPONENT_INITIALIZE_FUNC_STATUS_OK;
}

bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator* iterator, void* data) {
  auto* const sink = static_cast<Sink*>(data);
  bt_message_array_const messages = nullptr;
  std::uint64_t count = 0;
  switch (bt_message_iterator_next(iterator, &messages, &count)) {
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
      break;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
      return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
      return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_AGAIN;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
      return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_MEMORY_ERROR;
    default:
      return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR;
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    sink->has_failed = sink->has_failed || !sink->messages->take(messages[i]);
    bt_message_put_ref(messages[i]);
  }
  return sink->has_failed ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_ERROR
                          : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

class Graph {
 public:
  // Empty, or what is wrong.
  std::string add(const std::vector<std::string>& traces) {
    const bt_plugin* ctf = nullptr;
    const bt_plugin* utils = nullptr;
    const auto find = [](const char* name, const bt_plugin** plugin) {
      return bt_plugin_find(name, BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, plugin) == BT_PLUGIN_FIND_STATUS_OK;
    };
    const bool is_there = find("ctf", &ctf) && find("utils", &utils);
    ctf_.reset(ctf);
    utils_.reset(utils);
    if (!is_there) return last_error("libbabeltrace2 has no plugins ctf and utils");
    graph_.reset(bt_graph_create(0));
    const bt_component_class_filter* const muxers =
        bt_plugin_borrow_filter_component_class_by_name_const(utils, "muxer");
    if (bt_graph_add_filter_component(graph(), muxers, "muxer", nullptr, BT_LOGGING_LEVEL_NONE, &muxer_) !=
        BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
      return last_error("no muxer");
    }
    for (const std::string& trace : traces) {
      if (std::string error = add_trace(trace); !error.empty()) return error;
    }
    return "";
  }

  std::string run(CtfMessages* messages) {
    Sink sink = {messages, nullptr, false};
    const bt_component_sink* component = nullptr;
    if (bt_graph_add_simple_sink_component(graph(), "out", begin, consume, nullptr, &sink, &component) !=
            BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
        bt_graph_connect_ports(graph(), bt_component_filter_borrow_output_port_by_index_const(muxer_, 0),
                               bt_component_sink_borrow_input_port_by_index_const(component, 0),
                               nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
      return last_error("no graph");
    }
    for (;;) {
      switch (bt_graph_run(graph())) {
        case BT_GRAPH_RUN_STATUS_OK:
          return "";
        case BT_GRAPH_RUN_STATUS_AGAIN:
          continue;
        default: {
          const std::string error = last_error("it cannot be read");
          return sink.has_failed ? messages->error() : error;
        }
      }
    }
  }

 private:
  // The library's functions change it through a pointer that they own together.
  bt_graph* graph() const { return const_cast<bt_graph*>(graph_.get()); }

  std::string add_trace(const std::string& trace) {
    const Ref<bt_value, bt_value_put_ref> parameters(bt_value_map_create());
    bt_value* inputs = nullptr;
    bt_value_map_insert_empty_array_entry(const_cast<bt_value*>(parameters.get()), "inputs", &inputs);
    bt_value_array_append_string_element(inputs, trace.c_str());
    const bt_component_class_source* const sources =
        bt_plugin_borrow_source_component_class_by_name_const(ctf_.get(), "fs");
    const bt_component_source* source = nullptr;
    if (bt_graph_add_source_component(graph(), sources, trace.c_str(), parameters.get(), BT_LOGGING_LEVEL_NONE,
                                      &source) != BT_GRAPH_ADD_COMPONENT_STATUS_OK) {
      return last_error(trace + " cannot be read");
    }
    for (std::uint64_t i = 0; i < bt_component_source_get_output_port_count(source); ++i) {
      const std::uint64_t free = bt_component_filter_get_input_port_count(muxer_) - 1;
      if (bt_graph_connect_ports(graph(), bt_component_source_borrow_output_port_by_index_const(source, i),
                                 bt_component_filter_borrow_input_port_by_index_const(muxer_, free),
                                 nullptr) != BT_GRAPH_CONNECT_PORTS_STATUS_OK) {
        return last_error("no graph");
      }
    }
    return "";
  }

  // The graph goes first.
  Ref<bt_plugin, bt_plugin_put_ref> ctf_;
  Ref<bt_plugin, bt_plugin_put_ref> utils_;
  Ref<bt_graph, bt_graph_put_ref> graph_;
  const bt_component_filter* muxer_ = nullptr;
};

}  // namespace

std::string read_trace(const std::string& path, CtfMessages* messages) {
  std::error_code failed;
  std::optional<StreamFolder> stream;
  if (std::filesystem::is_regular_file(path, failed)) {
    stream.emplace(path);
    if (!stream->error().empty()) return stream->error();
  }
  const std::vector<std::string> traces = traces_below(stream ? stream->path() : path);
  if (traces.empty()) return "it has no CTF trace: no file metadata";
  Graph graph;
  std::string error = graph.add(traces);
  return error.empty() ? graph.run(messages) : error;
}

}  // namespace evt::ctf

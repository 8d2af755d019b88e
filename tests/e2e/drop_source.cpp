// Speaks the source's side of the XDND protocol.
#include "e2e/drop_source.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace attn::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTimeout = std::chrono::seconds(10);

struct Atoms {
  Atom aware, enter, position, status, drop, finished, selection, copy, uri_list;
};

Atoms atoms_of(Display* display) {
  const auto atom = [display](const char* name) { return XInternAtom(display, name, False); };
  return {atom("XdndAware"),     atom("XdndEnter"),      atom("XdndPosition"),
          atom("XdndStatus"),    atom("XdndDrop"),       atom("XdndFinished"),
          atom("XdndSelection"), atom("XdndActionCopy"), atom("text/uri-list")};
}

bool accepts_drops(Display* display, Window window, Atom aware) {
  Atom type = None;
  int format = 0;
  unsigned long count = 0;
  unsigned long rest = 0;
  unsigned char* data = nullptr;
  XGetWindowProperty(display, window, aware, 0, 1, False, AnyPropertyType, &type, &format, &count,
                     &rest, &data);
  if (data != nullptr) XFree(data);
  return type != None;
}

Window find_target(Display* display, Atom aware) {
  Window root = None;
  Window parent = None;
  Window* children = nullptr;
  unsigned count = 0;
  Window found = None;
  if (XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &count) == 0) {
    return None;
  }
  for (unsigned i = 0; i < count && found == None; ++i) {
    if (accepts_drops(display, children[i], aware)) found = children[i];
  }
  if (children != nullptr) XFree(children);
  return found;
}

void send(Display* display, Window source, Window target, Atom type, long l1, long l2, long l3,
          long l4) {
  XEvent event{};
  event.xclient.type = ClientMessage;
  event.xclient.window = target;
  event.xclient.message_type = type;
  event.xclient.format = 32;
  event.xclient.data.l[0] = static_cast<long>(source);
  event.xclient.data.l[1] = l1;
  event.xclient.data.l[2] = l2;
  event.xclient.data.l[3] = l3;
  event.xclient.data.l[4] = l4;
  XSendEvent(display, target, False, NoEventMask, &event);
  XFlush(display);
}

std::string uri_list(const std::vector<std::string>& paths) {
  std::string list;
  for (const std::string& path : paths) {
    list += "file://";
    for (const char c : path) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte > 0x20 && byte < 0x7F && c != '%') {
        list += c;
      } else {
        char escaped[4];
        std::snprintf(escaped, sizeof escaped, "%%%02X", byte);
        list += escaped;
      }
    }
    list += "\r\n";
  }
  return list;
}

void answer(Display* display, const XSelectionRequestEvent& request, const std::string& list) {
  XChangeProperty(display, request.requestor, request.property, request.target, 8, PropModeReplace,
                  reinterpret_cast<const unsigned char*>(list.data()),
                  static_cast<int>(list.size()));
  XEvent reply{};
  reply.xselection.type = SelectionNotify;
  reply.xselection.requestor = request.requestor;
  reply.xselection.selection = request.selection;
  reply.xselection.target = request.target;
  reply.xselection.property = request.property;
  reply.xselection.time = request.time;
  XSendEvent(display, request.requestor, False, NoEventMask, &reply);
  XFlush(display);
}

// Serves events until the target has sent a message of `type`; false when time runs out.
bool wait_for(Display* display, Atom type, const std::string& list) {
  const auto end = Clock::now() + kTimeout;
  while (Clock::now() < end) {
    if (XPending(display) == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      continue;
    }
    XEvent event{};
    XNextEvent(display, &event);
    if (event.type == SelectionRequest) answer(display, event.xselectionrequest, list);
    if (event.type == ClientMessage && event.xclient.message_type == type) return true;
  }
  return false;
}

bool drop(Display* display, const std::string& list) {
  const Atoms atoms = atoms_of(display);
  Window target = find_target(display, atoms.aware);
  for (const auto end = Clock::now() + kTimeout; target == None && Clock::now() < end;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    target = find_target(display, atoms.aware);
  }
  if (target == None) return false;
  const Window source =
      XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
  XSetSelectionOwner(display, atoms.selection, source, CurrentTime);
  constexpr long kVersion = 5L << 24;
  constexpr long kMiddle = (300L << 16) | 300L;
  send(display, source, target, atoms.enter, kVersion, static_cast<long>(atoms.uri_list), 0, 0);
  send(display, source, target, atoms.position, 0, kMiddle, CurrentTime,
       static_cast<long>(atoms.copy));
  if (!wait_for(display, atoms.status, list)) return false;
  send(display, source, target, atoms.drop, 0, CurrentTime, 0, 0);
  return wait_for(display, atoms.finished, list);
}

}  // namespace

bool drop_files(const std::string& display_name, const std::vector<std::string>& paths) {
  Display* display = XOpenDisplay(display_name.c_str());
  if (display == nullptr) return false;
  const bool taken = drop(display, uri_list(paths));
  XCloseDisplay(display);
  return taken;
}

}  // namespace attn::test

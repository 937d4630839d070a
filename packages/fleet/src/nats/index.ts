export { type NatsAccess, natsConnection, WireFault } from "./connection.js";
export { type KeepServingOptions, keepServingNats } from "./keep-serving.js";
export { type NatsHub, natsHub } from "./nats-hub.js";
export { type NatsWireOptions, natsWire } from "./nats-wire.js";
export { type ServedNats, type ServeNatsOptions, serveNats } from "./serve-nats.js";

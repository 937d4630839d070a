export { keepServingNats } from "@tmpm/fleet/nats";

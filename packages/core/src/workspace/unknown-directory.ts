/** The directory of a session without a recorded one (trusty-mpm writes the same). */
export const UNKNOWN_DIRECTORY = "/unknown";

/** The rights of each scope, phrased to follow a name. */
export const MAY = { observer: "may watch sessions", operator: "may watch and change sessions", admin: "may do everything" } as const;

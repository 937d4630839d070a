/** What each scope allows, to be read after a name. */
export const MAY = { observer: "may watch sessions", operator: "may watch and change sessions", admin: "may do everything" } as const;

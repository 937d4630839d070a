interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly required?: boolean; readonly schema?: Schema }[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

type Direction = "sent" | "answered";

/**
 * Incompatible changes between two documents, as text: changes by which a client of the old document would be refused, or miss data. New routes,
 * optional fields, further fields of responses and further enumeration values are additions.
 */
export function incompatibilities(before: Document, after: Document): readonly string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, old]) => {
      const now = after.paths[path]?.[method];
      const where = `${method.toUpperCase()} ${path}`;
      return now === undefined ? [`${where} was removed`] : [...sent({ where, old, now }), ...answered({ where, old, now })];
    }),
  );

  function sent({ where, old, now }: { where: string; old: Operation; now: Operation }): readonly string[] {
    const given = new Map(old.parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
    const kept = new Map(now.parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
    const parameters = [...given].flatMap(([name, parameter]) => {
      const next = kept.get(name);
      if (next === undefined) return [`${where}: ${name} was removed`];
      return narrowed({ where: `${where}: ${name}`, old: parameter.schema, now: next.schema, direction: "sent" });
    });
    const demanded = [...kept].flatMap(([name, parameter]) =>
      parameter.required === true && given.get(name)?.required !== true ? [`${where}: ${name} is required now`] : [],
    );
    const body = narrowed({ where: `${where}: body`, old: schemaIn(old.requestBody), now: schemaIn(now.requestBody), direction: "sent" });
    return [...parameters, ...demanded, ...body];
  }

  function answered({ where, old, now }: { where: string; old: Operation; now: Operation }): readonly string[] {
    const successes = Object.entries(old.responses).filter(([status]) => Number(status) < 400);
    return successes.flatMap(([status, response]) => {
      const next = now.responses[status];
      if (next === undefined) return [`${where}: never answers ${status} any more`];
      return narrowed({ where: `${where}: ${status}`, old: schemaIn(response), now: schemaIn(next), direction: "answered" });
    });
  }

  function narrowed(place: { where: string; old: Schema | undefined; now: Schema | undefined; direction: Direction }): readonly string[] {
    return compare({ ...place, seen: new Set() });
  }

  function compare(place: {
    where: string;
    old: Schema | undefined;
    now: Schema | undefined;
    direction: Direction;
    seen: ReadonlySet<string>;
  }): readonly string[] {
    const { where, direction } = place;
    if (place.old === undefined) return [];
    if (place.now === undefined) return [`${where} was removed`];
    const name = place.old.$ref;
    if (name !== undefined && place.seen.has(name)) return [];
    const seen = name === undefined ? place.seen : new Set([...place.seen, name]);
    const old = resolve(place.old, before);
    const now = resolve(place.now, after);
    const inside = Object.entries(old.properties ?? {}).flatMap(([field, schema]) =>
      compare({ where: `${where}.${field}`, old: schema, now: now.properties?.[field], direction, seen }),
    );
    const items = old.items === undefined ? [] : compare({ where: `${where}[]`, old: old.items, now: now.items, direction, seen });
    return [...(direction === "sent" ? demands(where, { old, now }) : promises(where, { old, now })), ...inside, ...items];
  }
}

/** Accepted input must still be accepted. */
function demands(where: string, { old, now }: { old: Schema; now: Schema }): readonly string[] {
  const faults: string[] = [];
  const gone = typesOf(old).filter((type) => !typesOf(now).includes(type));
  if (typesOf(now).length > 0 && gone.length > 0) faults.push(`${where} no longer accepts ${gone.join(", ")}`);
  for (const field of now.required ?? []) if (!(old.required ?? []).includes(field)) faults.push(`${where}.${field} is required now`);
  if (now.enum !== undefined) {
    const words = (old.enum ?? []).filter((word) => !now.enum?.includes(word));
    if (old.enum === undefined || words.length > 0) faults.push(`${where} no longer accepts ${words.join(", ") || "every value"}`);
  }
  for (const bound of ["minimum", "minLength"] as const) {
    if ((now[bound] ?? Number.NEGATIVE_INFINITY) > (old[bound] ?? Number.NEGATIVE_INFINITY)) faults.push(`${where}: ${bound} increased`);
  }
  for (const bound of ["maximum", "maxLength", "maxItems"] as const) {
    if ((now[bound] ?? Number.POSITIVE_INFINITY) < (old[bound] ?? Number.POSITIVE_INFINITY)) faults.push(`${where}: ${bound} decreased`);
  }
  if (now.pattern !== undefined && now.pattern !== old.pattern) faults.push(`${where}: the pattern changed`);
  return faults;
}

/** Guaranteed output must still be guaranteed, with the same type. */
function promises(where: string, { old, now }: { old: Schema; now: Schema }): readonly string[] {
  const faults: string[] = [];
  for (const field of old.required ?? []) if (!(now.required ?? []).includes(field)) faults.push(`${where}.${field} may be missing now`);
  const more = typesOf(now).filter((type) => !typesOf(old).includes(type));
  if (typesOf(old).length > 0 && more.length > 0) faults.push(`${where} may be ${more.join(", ")} now`);
  return faults;
}

function typesOf({ type, anyOf }: Schema): readonly string[] {
  if (anyOf !== undefined) return [...new Set(anyOf.flatMap(typesOf))];
  return type === undefined ? [] : [type].flat();
}

/** Resolves references and streaming forms in place. */
function resolve(schema: Schema, document: Document): Schema {
  const named = schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.replace("#/components/schemas/", "")] ?? {});
  const { allOf = [], anyOf, ...own } = named;
  const all = [...allOf.map((part) => resolve(part, document)), own];
  return {
    ...own,
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((part) => resolve(part, document)) }),
    ...(own.properties === undefined && allOf.length === 0
      ? {}
      : { properties: Object.assign({}, ...all.map(({ properties }) => properties)) }),
    required: all.flatMap(({ required = [] }) => required),
  };
}

function schemaIn(part: Content | undefined): Schema | undefined {
  return part?.content?.["application/json"]?.schema;
}

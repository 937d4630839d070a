/** Batches requests of one turn of the event loop into tasks of at most `most`. A task returns results in the order of the keys. */
export function batched<K, V>(task: (keys: readonly K[]) => Promise<readonly V[]>, most: number): (key: K) => Promise<V> {
  let waiting: Waiting<K, V>[] = [];
  const runAll = () => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += most) void answerAll(task, all.slice(from, from + most));
  };
  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) process.nextTick(runAll);
      waiting.push({ key, resolve, reject });
    });
}

interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V) => void;
  readonly reject: (error: unknown) => void;
}

async function answerAll<K, V>(task: (keys: readonly K[]) => Promise<readonly V[]>, waiting: readonly Waiting<K, V>[]): Promise<void> {
  try {
    const values = await task(waiting.map(({ key }) => key));
    for (const [index, value] of values.entries()) waiting[index]?.resolve(value);
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}

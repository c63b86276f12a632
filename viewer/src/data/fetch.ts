// Requests to our own server, with errors in its words.

export class ServerError extends Error {}

async function ask(path: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path);
  } catch {
    throw new ServerError("The server has ended. Start it again: stiction view");
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  throw new ServerError(said.error ? `${said.error}. ${said.help ?? ""}` : `The server answered ${response.status}`);
}

export async function json<T>(path: string): Promise<T> {
  return (await ask(path)).json() as Promise<T>;
}

export async function floats(path: string): Promise<Float32Array<ArrayBuffer>> {
  return new Float32Array(await (await ask(path)).arrayBuffer());
}

export async function integers(path: string): Promise<Uint32Array<ArrayBuffer>> {
  return new Uint32Array(await (await ask(path)).arrayBuffer());
}

/** What the fake YouTube responds with. */
export type Answer = { status: number; headers?: Record<string, string> } & (
  | { json: object }
  | { html: string }
  | { text: string }
  | { script: string }
)

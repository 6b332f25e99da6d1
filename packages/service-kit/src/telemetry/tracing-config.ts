/** The target of exported spans, and the share of traces that is sampled. */
export interface TracingConfig {
  /** Base URL of an OTLP receiver (HTTP, JSON), without `/v1/traces`. */
  endpoint: string
  /** Sampling ratio of traces that start in this process, 0 to 1. A called process follows its caller's decision. */
  ratio: number
  /** Delay between two exports, in ms. */
  delayMs: number
}

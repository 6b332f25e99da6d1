/** Close codes (RFC 6455 §7.4; 4000 and up are the application's own) and the text in the close frame. */
export const CLOSE_REASONS = {
  restarting: [1012, 'The server is restarting. Reconnect.'],
  fault: [1011, 'Internal error.'],
  idle: [4000, 'No heartbeat.'],
  sessionEnded: [4001, 'Your session has ended.'],
  slow: [4008, 'The client reads too slowly.'],
  flood: [4029, 'Rate limit exceeded.'],
  incomplete: [4029, 'A message was not completed in time.'],
  tooLarge: [1009, 'The message is too large.'],
  /** `ws` found a violation of RFC 6455 and sent its own code. */
  protocol: [1002, 'Invalid WebSocket frame.'],
} as const satisfies Record<string, readonly [number, string]>
export type CloseReason = keyof typeof CLOSE_REASONS

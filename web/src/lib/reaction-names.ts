import type { Reaction } from '@looptide/contracts/realtime'

/** What the reactions mean, for screen readers. */
export const REACTION_NAMES: Record<Reaction, string> = {
  '❤️': 'Love',
  '🔥': 'Fire',
  '👏': 'Applause',
  '😂': 'Laughter',
  '😮': 'Surprise',
  '🎉': 'Celebration',
}

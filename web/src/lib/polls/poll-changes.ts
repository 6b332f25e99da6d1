import type { Poll, PollPage } from '@looptide/contracts/http/polls'

/** A poll as it is now, or one that was deleted. */
export type PollChange = { poll: Poll } | { removedId: string }

/** The newest polls of a channel after some changes, in any order and repeated. */
export const withChanges = (known: PollPage, changes: readonly PollChange[]): PollPage => ({
  ...known,
  items: changes.reduce(changed, known.items),
})

function changed(items: readonly Poll[], change: PollChange): Poll[] {
  if ('removedId' in change) return items.filter(({ id }) => id !== change.removedId)
  const { poll } = change
  const known = items.find(({ id }) => id === poll.id)
  if (known !== undefined) {
    return items.map((item) => (item === known && item.version < poll.version ? poll : item))
  }
  // An older one, which was closed when the list was read, is not of interest.
  const [newest] = items
  return newest === undefined || newest.askedAt < poll.askedAt ? [poll, ...items] : [...items]
}

/** The share of votes in whole percent; 0 without votes. */
export const percentOf = (votes: number, all: number): number =>
  all === 0 ? 0 : Math.round((votes / all) * 100)

/** A number of votes as a text. */
export const votesText = (count: number): string => (count === 1 ? '1 vote' : `${count} votes`)

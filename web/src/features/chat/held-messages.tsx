import type { HeldMessage } from '@looptide/contracts/http/chat'
import { topics } from '@looptide/contracts/realtime'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { toast } from '../../ui/toast.ts'

/** The user's messages that wait for a moderator, above the field. A toast says when one is rejected. */
export function HeldMessages({ held, userId }: { held: readonly HeldMessage[]; userId: string }) {
  useTopic(
    'user',
    topics.user(userId),
    {
      held_message: ({ state }) => {
        if (state === 'rejected')
          toast({ title: 'A message of yours was not posted', description: 'Moderators have declined it.' })
      },
    },
    // The list is part of the permissions, which catch up by themselves.
    null,
  )
  return (
    <section
      aria-label="Waiting for a moderator"
      className="mb-2 grid max-h-28 gap-1 overflow-y-auto rounded-md border border-line bg-raised px-3 py-2 text-sm [@container(max-height:26rem)]:max-h-14"
    >
      <p role="status" className="font-medium">
        Waiting for a moderator. Only you see this.
      </p>
      <ul className="grid gap-1">
        {held.map(({ heldId, message }) => (
          <li key={heldId} dir="auto" className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
            {message}
          </li>
        ))}
      </ul>
    </section>
  )
}

import type { FollowedList } from '@looptide/contracts/http/followed-lists'
import type { Source } from '@looptide/contracts/schedule'
import { Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { lazyPart } from '../../admin/lazy-part.ts'
import { newName } from '../model/names.ts'

const FollowDialog = lazyPart(
  async () => (await import('../../library/followed/follow-dialog.tsx')).FollowDialog,
)

/** Follows a YouTube playlist or channel, and adds a source that plays its videos. */
export function FollowSource(props: {
  names: readonly string[]
  onSave: (name: string, source: Source) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const add = ({ tag }: FollowedList) => {
    const name = newName(tag, props.names)
    props.onSave(name, { kind: 'smart', where: { tags: [tag] }, order: 'shuffle' })
    toast({
      title: 'List followed',
      description: `The source ${name} plays its videos.`,
      tone: 'success',
    })
  }
  return (
    <>
      <Button icon="sync" onClick={() => setOpen(true)}>
        Follow a YouTube list
      </Button>
      {isOpen && (
        <Suspense>
          <FollowDialog onClose={() => setOpen(false)} onFollowed={add} />
        </Suspense>
      )}
    </>
  )
}

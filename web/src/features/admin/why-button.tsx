import { Suspense } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { lazyPart } from './lazy-part.ts'

/** Opens the explanation of why a programme is scheduled. */
export function WhyButton({ title, onPress }: { title: string; onPress: () => void }) {
  return <IconButton icon="facts" label={`Why is this on? ${title}`} onClick={onPress} />
}

const WhyDialog = lazyPart(async () => (await import('./why-dialog.tsx')).WhyDialog)

/** Loads and shows the "Why is this on?" dialog of a programme; renders nothing for null. */
export function LazyWhyDialog(props: { channelId: string; programmeId: string | null; onClose: () => void }) {
  const { programmeId } = props
  if (programmeId === null) return null
  return (
    <Suspense fallback={null}>
      <WhyDialog channelId={props.channelId} programmeId={programmeId} onClose={props.onClose} />
    </Suspense>
  )
}

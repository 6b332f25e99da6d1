import { IconButton } from '../../ui/button.tsx'
import { lazyDialog } from './lazy-part.ts'

/** Opens the explanation of why a programme is scheduled. */
export function WhyButton({ title, onPress }: { title: string; onPress: () => void }) {
  return <IconButton icon="facts" label={`Why is this on? ${title}`} onClick={onPress} />
}

const WhyDialog = lazyDialog(async () => (await import('./why-dialog.tsx')).WhyDialog)

/** Loads and shows the "Why is this on?" dialog of a programme; renders nothing for null. */
export function LazyWhyDialog(props: { channelId: string; programmeId: string | null; onClose: () => void }) {
  const { programmeId } = props
  if (programmeId === null) return null
  return <WhyDialog channelId={props.channelId} programmeId={programmeId} onClose={props.onClose} />
}

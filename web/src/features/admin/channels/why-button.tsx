import { IconButton } from '../../../ui/button.tsx'

/** Asks why a programme is on. */
export function WhyButton({ title, onPress }: { title: string; onPress: () => void }) {
  return <IconButton icon="facts" label={`Why is this on? ${title}`} onClick={onPress} />
}

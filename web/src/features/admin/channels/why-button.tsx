import { IconButton } from '../../../ui/button.tsx'

/** Opens the explanation of why a programme is scheduled. */
export function WhyButton({ title, onPress }: { title: string; onPress: () => void }) {
  return <IconButton icon="facts" label={`Why is this on? ${title}`} onClick={onPress} />
}

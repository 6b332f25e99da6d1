import { expect, it, vi } from 'vitest'
import { showToastsWith, toast } from './toast.ts'

it('a repeated message replaces the one that is shown; one with an action, or another text, does not', () => {
  const shown = new Map<number, string>()
  const detach = showToastsWith({
    show: ({ id, title, description = '' }) => void shown.set(id, `${title} ${description}`.trim()),
    hide: (id) => void shown.delete(id),
  })
  for (let time = 0; time < 5; time += 1) toast({ title: 'Playlist updated' })
  toast({ title: 'Playlist updated', description: 'Road Trip' })
  for (let time = 0; time < 2; time += 1) {
    toast({ title: 'Video removed', action: { label: 'Undo', onPress: vi.fn() } })
  }
  expect([...shown.values()]).toEqual([
    'Playlist updated',
    'Playlist updated Road Trip',
    'Video removed',
    'Video removed',
  ])
  detach()
})

it('a repeated message is shown again after it was removed', () => {
  const shown: string[] = []
  const hide = toast({ title: 'Saved' })
  hide()
  toast({ title: 'Saved' })
  const detach = showToastsWith({ show: ({ title }) => void shown.push(title), hide: vi.fn() })
  expect(shown).toEqual(['Saved'])
  detach()
})

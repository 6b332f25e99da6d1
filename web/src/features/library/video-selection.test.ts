import { MAX_SELECTED_IDS } from '@looptide/contracts/http/video-jobs'
import { expect, it } from 'vitest'
import { videoSelection } from './video-selection.ts'

const many = Array.from({ length: MAX_SELECTED_IDS + 10 }, (_, n) => `id ${n}`)
const filter = { q: 'live' }

it('selected videos are named by their ids', () => {
  expect(videoSelection(new Set(['a', 'b']), { filter, ids: new Set(many) })).toEqual({ ids: ['a', 'b'] })
})

it('more than fit into a request are named by the filter of Select All, with what was changed since', () => {
  const selected = new Set([...many.slice(2), 'other'])
  expect(videoSelection(selected, { filter, ids: new Set(many) })).toEqual({
    filter,
    except: ['id 0', 'id 1'],
    ids: ['other'],
  })
})

import type { Guard } from '@looptide/service-kit/limits/guard'
import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { checkDelete } from './check-delete.ts'

const request = { id: 'deletion', user: { id: 'admin', role: 'admin' } } as unknown as FastifyRequest

it.each([
  [20, 0],
  [21, 1],
  [500, 1],
  [501, 2],
  [1001, 3],
])('a deletion of %i videos counts as %i guarded actions', async (videos, actions) => {
  const counted: string[] = []
  const guard: Guard = { check: async (_request, action) => void counted.push(action) }
  await checkDelete(request, guard, 'video.delete.admin', videos)
  expect(counted).toEqual(Array(actions).fill('video.delete.admin'))
})

import { TASKS } from '@looptide/service-kit/process/service-process'
import type { ProcessDefinition } from '@looptide/service-kit/process/start-process'

/**
 * The process without the work that the clock alone starts. A test runs this work itself: the process would do the same at
 * any moment, as another replica does.
 */
export const withoutTasks = <Handle>(definition: ProcessDefinition<Handle>): ProcessDefinition<Handle> => ({
  ...definition,
  build: async (base) => {
    const plan = await definition.build(base)
    const parts = plan.parts.filter(({ name }) => name !== TASKS)
    if (parts.length === plan.parts.length) throw new Error(`${definition.name} has no tasks`)
    return { ...plan, parts }
  },
})

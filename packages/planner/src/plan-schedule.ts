import type { PlanInput, PlanState, ReplayedProgramme, SchedulePlan } from './plan.ts'
import { Planner } from './planner.ts'

/** Plans a schedule: programmes without gap or overlap from `fromMs` to at least `toMs`. A pure function. */
export function planSchedule(input: PlanInput): SchedulePlan {
  const steps = planInSteps(input)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Like {@link planSchedule}, as a generator that yields after each programme, so that a server can handle requests. */
export function* planInSteps(input: PlanInput): Generator<undefined, SchedulePlan> {
  return yield* new Planner(input).plan()
}

/**
 * The state after programmes that an earlier plan has chosen, from the state before them. `fromMs` is the start of the
 * first one. The document, library and playlists may have changed since: items that join or leave a source are considered by
 * the plan that follows.
 */
export function replaySchedule(
  input: Omit<PlanInput, 'toMs'>,
  programmes: readonly ReplayedProgramme[],
): PlanState {
  const toMs = programmes.at(-1)?.endsAtMs ?? input.fromMs
  return new Planner({ ...input, toMs }, true).replay(programmes)
}

/**
 * The state from which a plan starts: that of the input, with the items that have joined the sources `names` since, and
 * without those that have left them. Stored, it lets every later replay continue in the order of this plan.
 */
export function startStateOf(input: Omit<PlanInput, 'toMs'>, names: readonly string[]): PlanState {
  return new Planner({ ...input, toMs: input.fromMs }).startState(names)
}

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

/** Like {@link planSchedule}, a programme at a time, so that a server can answer requests in between. */
export function* planInSteps(input: PlanInput): Generator<undefined, SchedulePlan> {
  return yield* new Planner(input).plan()
}

/**
 * The state after programmes that an earlier plan has chosen, from the state before them. `fromMs` is the start of the
 * first one. The document, library and playlists may have changed since.
 */
export function replaySchedule(
  input: Omit<PlanInput, 'toMs'>,
  programmes: readonly ReplayedProgramme[],
): PlanState {
  return new Planner({ ...input, toMs: programmes.at(-1)?.endsAtMs ?? input.fromMs }).replay(programmes)
}

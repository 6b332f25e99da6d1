import * as likes from './audience/likes.ts'
import * as reminders from './audience/reminders.ts'
import * as requests from './audience/requests.ts'

/** The operations of audience, except those about dead letters. */
export const audienceOperations = { ...likes, ...reminders, ...requests }

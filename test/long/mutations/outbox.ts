/** Mistakes on the way out: what a person did, what a station says, and what is brought back to every console. */
import type { Mutation } from '../../support/mutated-copy.ts'

const sender = 'main/outbox/sender.ts'
const outbox = 'main/store/outbox.ts'
const relay = 'main/station/relay/relay.ts'
const relayAction = 'main/station/relay/relay-action.ts'
const recording = 'main/console/recording.ts'
const lifecycle = 'main/console/alerts/lifecycle.ts'
const message = 'shared/action-message.ts'
const enrolment = 'main/station/enrolment/enrolment.ts'
const stationOutbox = 'main/store/station/outbox.ts'
const heartbeats = 'main/store/station/heartbeats.ts'
const records = 'main/store/station/records.ts'
const messages = 'main/store/station/messages.ts'
const batches = 'main/store/station/batches.ts'
const station = 'main/station/compose.ts'
const sending = ['test/main/outbox/sender.test.ts']
const stationTests = ['test/main/station/compose.test.ts']
const enrolling = ['test/main/station/enrolment/enrolment.test.ts']
const relaying = ['test/main/station/relay/relay-action.test.ts']
const stationOutboxTests = ['test/main/store/station/outbox.test.ts']
const resuming = ['test/main/station/resume.test.ts']
const acting = ['test/main/console/alerts/lifecycle.test.ts']
const delivering = ['test/main/console/router/delivery.test.ts']

export const mutations: Mutation[] = [
  {
    says: 'messages are marked as sent before they are',
    file: sender,
    find: 'try {\n      refused = await options.send(messages)',
    replace:
      'await outbox.markSent(messages.map(({ position }) => position), clock.now())\n    try {\n      refused = await options.send(messages)',
    tests: sending,
  },
  {
    says: 'what was refused counts as sent',
    file: sender,
    find: 'messages.filter(({ id }) => !refused.has(id))',
    replace: '[...messages]',
    tests: sending,
  },
  {
    says: 'a queue that cannot be reached has taken everything',
    file: sender,
    find: 'refused = new Map(messages.map(({ id }) => [id, name]))',
    replace: 'refused = new Map(name ? [] : [])',
    tests: sending,
  },
  {
    says: 'a refusal is forgotten, and the message tried at once, for ever',
    file: sender,
    find: 'if (problem !== undefined) await outbox.markFailed',
    replace: `if (problem === '') await outbox.markFailed`,
    tests: sending,
  },
  {
    says: 'waits between tries grow without end',
    file: sender,
    find: 'Math.min(longestWait, seconds(1) * 2 ** Math.min(attempts, 10))',
    replace: 'seconds(1) * 2 ** Math.min(attempts, 10)',
    tests: sending,
  },
  {
    says: 'waits between tries do not grow',
    file: sender,
    find: 'seconds(1) * 2 ** Math.min(attempts, 10)',
    replace: 'seconds(1)',
    tests: sending,
  },
  {
    says: 'a wait may be no wait at all',
    file: sender,
    find: '(0.5 + randomness.fraction() / 2)',
    replace: 'randomness.fraction()',
    tests: sending,
  },
  {
    says: 'after a start the old wait goes on',
    file: sender,
    find: 'let allDue = true',
    replace: 'let allDue = false',
    tests: sending,
  },
  {
    says: 'what is due later is never tried again',
    file: sender,
    find: 'else if (due !== null && !stopped)',
    replace: 'else if (due === null && !stopped)',
    tests: sending,
  },
  {
    says: 'a batch may be larger than the queue takes',
    file: sender,
    find: 'const messages = fitting(await outbox.next(clock.now(), batchSize, inOrder))',
    replace: 'const messages = await outbox.next(clock.now(), batchSize, inOrder)',
    tests: sending,
  },
  {
    says: 'sessions share one group in a FIFO queue',
    file: sender,
    find: 'MessageGroupId: group_id',
    replace: `MessageGroupId: group_id.slice(0, 0) + 'all'`,
    tests: sending,
  },
  {
    says: 'a FIFO queue takes the same message twice',
    file: sender,
    find: 'MessageDeduplicationId: id.slice(0, 128)',
    replace: 'MessageDeduplicationId: `${id.slice(0, 100)} ${Math.random()}`',
    tests: sending,
  },
  {
    says: 'the refusal of one message is laid to another',
    file: sender,
    find: `messages[Number(Id)]?.id ?? ''`,
    replace: `messages[Number(Id) + 1]?.id ?? ''`,
    tests: sending,
  },
  {
    says: 'a crisis is published without its mark of urgency',
    file: sender,
    find: `...(event_type === 'CRISIS_DETECTED' && { priority:`,
    replace: `...(event_type === '' && { priority:`,
    tests: sending,
  },
  {
    says: 'the same message twice is two messages',
    file: outbox,
    find: `VALUES (@id, @group, @event_type, @body, @at, @at) ON CONFLICT (id) DO NOTHING`,
    replace: `VALUES (CASE WHEN EXISTS (SELECT 1 FROM outbox WHERE id = @id) THEN @id || ' again' ELSE @id END, @group, @event_type, @body, @at, @at)`,
    tests: sending,
  },
  {
    says: 'a later message of a session overtakes one that was refused',
    file: outbox,
    find: 'AND earlier.position < message.position ${earlier})',
    replace: 'AND earlier.position > message.position ${earlier})',
    tests: sending,
  },
  {
    says: 'one refused message holds back every session',
    file: outbox,
    find: `WHERE earlier.group_id = message.group_id AND earlier.sent_at IS NULL
             AND`,
    replace: 'WHERE earlier.sent_at IS NULL\n             AND',
    tests: sending,
  },
  {
    says: 'the newest goes out first',
    file: outbox,
    find: 'ORDER BY position LIMIT @limit',
    replace: 'ORDER BY position DESC LIMIT @limit',
    tests: sending,
  },
  {
    says: 'a message is sent before its next try is due',
    file: outbox,
    find: 'WHERE sent_at IS NULL AND next_attempt_at <= @now\n',
    replace: 'WHERE sent_at IS NULL AND @now > 0\n',
    tests: sending,
  },
  {
    says: 'what was sent is sent again',
    file: outbox,
    find: `'UPDATE outbox SET sent_at = ?, attempts`,
    replace: `'UPDATE outbox SET created_at = ?, attempts`,
    tests: sending,
  },
  {
    says: 'what failed before keeps its error after it was sent',
    file: outbox,
    find: 'attempts = attempts + 1, last_error = NULL WHERE',
    replace: 'attempts = attempts + 1 WHERE',
    tests: sending,
  },
  {
    says: 'an acknowledgement stays on this machine',
    file: recording,
    find: 'if (send === null || !hasAckQueue) return true',
    replace: 'if (send === null || hasAckQueue) return true',
    tests: acting,
  },
  {
    says: 'that somebody looked at an alert is told to everybody',
    file: lifecycle,
    find: `event.action === 'seen'\n          ? null`,
    replace: `event.action === 'noted'\n          ? null`,
    tests: acting,
  },
  {
    says: 'nothing wakes the sender',
    file: recording,
    find: 'altered.add({ queued: true })',
    replace: '',
    tests: acting,
  },
  {
    says: 'an action covers what was not on screen',
    file: lifecycle,
    find: 'seen ? alert.triggers.filter(({ id }) => seen.includes(id)) : alert.triggers',
    replace: 'seen ? alert.triggers : alert.triggers',
    tests: acting,
  },
  {
    says: 'a plan that is not due yet opens its alert again',
    file: lifecycle,
    find: ' || alert.due_at > now) return',
    replace: ') return',
    tests: acting,
  },
  {
    says: 'two consoles open an overdue alert twice',
    file: lifecycle,
    find: 'const ackId = digestOf(answered)',
    replace: 'const ackId = digestOf(randomness.uuid())',
    tests: acting,
  },
  {
    says: 'the same act sent twice is recorded twice',
    file: lifecycle,
    find: 'callId === null ? randomness.uuid()',
    replace: "callId !== '' ? randomness.uuid()",
    tests: delivering,
  },
  {
    says: 'what a person was told is not recorded is recorded when the program wakes',
    file: 'main/console/router/trpc.ts',
    find: 'clock.now() > delivery.begin_by',
    replace: 'delivery.begin_by === null',
    tests: delivering,
  },
  {
    says: 'what stands in the log stands nowhere in the audit',
    file: lifecycle,
    find: 'what: `alert.${event.action}`',
    replace: `what: 'alert.action'`,
    tests: acting,
  },
  {
    says: 'an acknowledgement is sent in a form that nobody reads',
    file: message,
    find: `if (event.action !== 'acknowledged') return`,
    replace: 'if (event.action) return',
    tests: acting,
  },
  {
    says: 'an acknowledgement comes back without who gave it',
    file: message,
    find: 'by: acknowledged_by,\n    by_name: acknowledged_by_name',
    replace: 'by_name: acknowledged_by_name',
    tests: relaying,
  },
  {
    says: 'an acknowledgement comes back as if it were done when it was relayed',
    file: message,
    find: 'at: acknowledged_at,\n  }\n}',
    replace: '}\n}',
    tests: relaying,
  },
  {
    says: 'an action comes back under an id that no console confirms',
    file: relayAction,
    find: 'return { event, id: relayedId({ school_id, ack_id }), ack_id',
    replace: 'return { event, id: ack_id, ack_id',
    tests: relaying,
  },
  {
    says: 'an acknowledgement is deleted from its queue and brought to nobody',
    file: relay,
    find: 'await keepAndQueue(store, actions, clock.now(), options.followed)',
    replace: 'void keepAndQueue',
    tests: stationTests,
  },
  {
    says: 'what is forged in the name of an approved console is stood by',
    file: 'main/station/relay/judged.ts',
    find: `if (refusal === 'signature') return refusedAction(body, refusal)`,
    replace: '',
    tests: enrolling,
  },
  {
    says: 'a signature with any key that was ever approved will do',
    file: enrolment,
    find: `if (signer?.state === 'approved') return null`,
    replace: 'if (signer) return null',
    tests: enrolling,
  },
  {
    says: 'a console is approved whatever fingerprint is named',
    file: enrolment,
    find: 'each.fingerprint === fingerprint.trim().toUpperCase()',
    replace: 'each.fingerprint !== fingerprint.trim().slice(99)',
    tests: enrolling,
  },
  {
    says: 'a console is believed without its own signature',
    file: enrolment,
    find: '!announcement || !isSignedBy(announcement.signing_key, message)',
    replace: '!announcement',
    tests: enrolling,
  },
  {
    says: 'what was relayed waits for something else to be sent',
    file: relay,
    find: 'actions.forEach(onRelayed)\n    onQueued()',
    replace: 'actions.forEach(onRelayed)\n    void onQueued',
    tests: stationTests,
  },
  {
    says: 'what was never confirmed is not published again at the next start',
    file: station,
    find: 'if (awaitsConfirmation) await store.asStation(sendUnconfirmedAgain)',
    replace: 'if (!awaitsConfirmation) await store.asStation(sendUnconfirmedAgain)',
    tests: stationTests,
  },
  {
    says: 'what the console has committed is published again',
    file: stationOutbox,
    find: `.where('id', 'in', ids)`,
    replace: `.where('id', 'in', ids.slice(0, 0).concat(''))`,
    tests: stationTests,
  },
  {
    says: 'an event that another station publishes now is published here too',
    file: stationOutbox,
    find: `row('claimed_until', '<=', now),`,
    replace: `row('claimed_until', '>=', 0),`,
    tests: stationOutboxTests,
  },
  {
    says: 'events that a station has taken are in nobody’s hands',
    file: stationOutbox,
    find: 'if (store.shared && messages.length > 0)',
    replace: 'if (!store.shared && messages.length > 0)',
    tests: stationOutboxTests,
  },
  {
    says: 'what a dead station had taken stays in its hands for ever',
    file: stationOutbox,
    find: 'claimed_until: now + claimLasts',
    replace: 'claimed_until: now + 2 * claimLasts',
    tests: stationOutboxTests,
  },
  {
    says: 'an event of a session overtakes one that another station has',
    file: stationOutbox,
    find: `row.between('earlier.claimed_until', now + 1, now + furthestClaim)`,
    replace: `row.between('earlier.claimed_until', now + 1, now)`,
    tests: stationOutboxTests,
  },
  {
    says: 'what nobody confirms is kept for ever',
    file: stationOutbox,
    find: 'if (!awaitsConfirmation) {',
    replace: 'if (awaitsConfirmation && !store) {',
    tests: stationOutboxTests,
  },
  {
    says: 'every station beats every minute',
    file: heartbeats,
    find: 'heartbeats.last_at <= ${now - apart}',
    replace: 'heartbeats.last_at <= ${now + apart}',
    tests: ['test/main/station/heartbeat.test.ts'],
  },
  {
    says: 'a record that comes twice takes two places',
    file: records,
    find: 'if (session_id !== null) await returnPosition',
    replace: 'if (session_id === null) await returnPosition',
    tests: ['test/main/store/station/records.test.ts'],
  },
  {
    says: 'a message that another station asks about is asked about here too',
    file: messages,
    find: `row.or([row('claimed_until', '<=', now), row('claimed_until', '>', now + furthestClaim)])`,
    replace: `row('claimed_until', '>=', 0)`,
    tests: resuming,
  },
  {
    says: 'words are forgotten before they are analysed',
    file: messages,
    find: `.where('state', '=', 'analyzed')\n`,
    replace: '\n',
    tests: resuming,
  },
  {
    says: 'an answer that comes late is written over the one that stands',
    file: 'main/station/sessions/pipeline.ts',
    find: `if (kept.state !== 'accepted') return { message: kept, isNew: false, drill, before }`,
    replace: '',
    tests: resuming,
  },
  {
    says: 'one unit of work that fails takes back the others’',
    file: batches,
    find: `prepared(db, 'ROLLBACK TO unit').run()`,
    replace: `prepared(db, 'RELEASE unit').run(); prepared(db, 'ROLLBACK').run(); prepared(db, 'BEGIN').run(); prepared(db, 'SAVEPOINT unit').run()`,
    tests: ['test/main/store/station/batches.test.ts'],
  },
  {
    says: 'the sender is told before the commit',
    file: batches,
    find: 'return () => resolve(value)',
    replace: 'resolve(value)\n    return () => undefined',
    tests: ['test/main/store/station/batches.test.ts'],
  },
]

/** Alerts from the chat do not get through: in the strip, above the inbox and aloud. `since` is a clock time. */
export const outage = {
  happened: {
    publishing: (since: string) => `Alerts from the chat have not been getting through since ${since}.`,
    station: (since: string) => `Alerts from the chat have not been getting through since ${since}.`,
    silence: (since: string) =>
      `No sign of life from the school’s chat since ${since}: alerts may not be getting through.`,
  },
  safe: 'What students write is kept where it was written, and comes here late, marked so.',
  todo: {
    publishing: 'Restart PsyFlo Console on this machine; until this is over, look after students without it.',
    station: 'Tell whoever runs the station; until this is over, look after students without it.',
    silence: 'Tell whoever runs the station; until this is over, look after students without it.',
  },
  over: (since: string) =>
    `Alerts from the chat get through again. What was held up since ${since} comes now, marked late.`,
}

/** Alerts from the chat do not get through: in the strip, above the inbox and aloud. `since` is a clock time. */
export const outage = {
  happened: {
    publishing: (since: string) => `Alerts from the chat have not been getting through since ${since}.`,
    station: (since: string) => `Alerts from the chat have not been getting through since ${since}.`,
    silence: (since: string) =>
      `Nothing has been heard from the school’s chat since ${since}: alerts may not be getting through.`,
    ladder: (since: string) =>
      `The station has been failing its own tests of the alarm since ${since}: crises may be missed, or people may not be told in time.`,
    drill: (since: string) =>
      `No test of the alarm has come through since ${since}: alerts may not be getting through.`,
  },
  safe: 'What students write is kept where it is received. It will appear here later, marked as late.',
  todo: {
    publishing: 'Restart PsyFlo Console on this computer. Until alerts work again, check on students without it.',
    station: 'Tell the person who runs the station. Until alerts work again, check on students without it.',
    silence: 'Tell the person who runs the station. Until alerts work again, check on students without it.',
    ladder: 'Tell the person who runs the station. Until its tests pass again, check on students without it.',
    drill: 'Tell the person who runs the station. Until alerts work again, check on students without it.',
  },
  over: (since: string) =>
    `Alerts from the chat are getting through again. Anything delayed since ${since} is arriving now, marked as late.`,
}

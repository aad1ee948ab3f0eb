/** Days and times of the school, in the local zone of the machine. Times are UTC milliseconds. */

/** Local time of day (`"12:40"`) on the day so many days before that of `now`. */
export function localTime(now: number, daysAgo: number, timeOfDay: string): number {
  const today = new Date(now)
  const [hour, minute] = timeOfDay.split(':').map(Number)
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo, hour, minute).getTime()
}

/** How many days ago the n-th school day (Monday to Friday) before today was; n from 1. */
export function schoolDay(now: number, n: number): number {
  let daysAgo = 0
  for (let left = n; left > 0;) {
    daysAgo += 1
    const weekday = new Date(localTime(now, daysAgo, '12:00')).getDay()
    if (weekday !== 0 && weekday !== 6) left -= 1
  }
  return daysAgo
}

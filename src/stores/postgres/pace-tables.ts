/** Tables of rate limits, and the function that gives slots under them.
 *
 * They are not logged: a crash empties them, and a limit without a row begins as if it were used up.
 */
export const paceTables = `
  create unlogged table deskhand.pace (
    key text primary key,
    held_until timestamptz not null -- no place is given before
  ) with (fillfactor = 50);

  -- A request that waits for its place (taken is null), is on its way, or was answered.
  create unlogged table deskhand.pace_place (
    key text not null,
    id text not null,
    asked timestamptz not null,
    until timestamptz not null, -- of one that waits: its process asks again before
    taken timestamptz,
    answered timestamptz,
    primary key (key, id)
  ) with (fillfactor = 50);

  -- Gives a place, or returns how many milliseconds to wait before asking again. Requests get their
  -- places in the order in which they asked first. A request counts until one window after its
  -- response, because it may have arrived at any time before that; one without a response, for half
  -- a minute. The wait ends at the earliest time at which the place can be free.
  create function deskhand.take_place(the_key text, permits int, per_ms float8, the_id text)
  returns float8 language plpgsql as $$
  declare
    per interval := per_ms * interval '1 millisecond';
    longest constant interval := interval '30 seconds'; -- of a request
    present timestamptz;
    held timestamptz;
    own deskhand.pace_place;
    counted int;
    ahead int;
    missing int;
    free timestamptz;
  begin
    select held_until into held from deskhand.pace where key = the_key for update;
    if held is null then
      insert into deskhand.pace values (the_key, clock_timestamp() + per) on conflict do nothing;
      select held_until into held from deskhand.pace where key = the_key for update;
    end if;
    present := clock_timestamp();

    -- A time after the present was recorded before the clock was set back.
    if held > present + interval '5 minutes' then
      held := present;
      update deskhand.pace set held_until = present where key = the_key;
    end if;
    update deskhand.pace_place set asked = least(asked, present), taken = least(taken, present),
      answered = least(answered, present), until = least(until, present + interval '10 minutes')
    where key = the_key and (greatest(asked, taken, answered) > present
      or until > present + interval '10 minutes');

    delete from deskhand.pace_place
    where key = the_key and case
      when answered is not null then answered <= present - per
      when taken is not null then taken <= present - longest and id <> the_id
      else until < present and id <> the_id end;

    select * into own from deskhand.pace_place where key = the_key and id = the_id;
    if own.taken is not null then -- repeated after a lost answer
      update deskhand.pace_place set taken = present, answered = null
      where key = the_key and id = the_id;
      return 0;
    end if;
    if own.id is null then
      insert into deskhand.pace_place (key, id, asked, until)
      values (the_key, the_id, present, present) returning * into own;
    end if;

    select count(*) filter (where taken is not null),
      count(*) filter (where taken is null and (asked, id) < (own.asked, own.id))
    into counted, ahead from deskhand.pace_place where key = the_key;
    missing := counted + ahead - permits + 1;
    if missing <= 0 and held <= present then
      update deskhand.pace_place set taken = present where key = the_key and id = the_id;
      return 0;
    end if;

    free := held;
    if missing > 0 then
      select greatest(held, place.free + per * ((missing - 1) / greatest(counted, 1))) into free from (
        select coalesce(answered + per, least(present + per, taken + longest)) as free
        from deskhand.pace_place where key = the_key and taken is not null
        order by free offset (missing - 1) % greatest(counted, 1) limit 1
      ) as place;
      -- Only those that wait are ahead, and nothing is on its way.
      free := coalesce(free, greatest(held, present + per * (missing::float8 / permits)));
    end if;
    update deskhand.pace_place set until = greatest(free, present) + interval '2 seconds'
    where key = the_key and id = the_id;
    return greatest(1, extract(epoch from free - present) * 1000);
  end
  $$;
`;

/** The scripts that make a shell send us completion queries. */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** The hidden first word of a query; the shell's name and the words so far follow. */
export const completionWord = '__complete';

/** The completion scripts, which the shell sources when it starts. */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# deskhand for bash. Put this line into ~/.bashrc: source <(deskhand completion bash)
_deskhand() {
  local line=\${COMP_LINE:0:COMP_POINT} words=() word
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local whole="\${words[\${#words[@]} - 1]}" part="\${COMP_WORDS[COMP_CWORD]}"
  # Bash breaks words at = and :, and replaces only what follows the last of them.
  [[ $part == [=:] ]] && part=""
  local before="\${whole%"$part"}"
  COMPREPLY=()
  while IFS= read -r word; do
    case $word in
      :files) compopt -o filenames 2> /dev/null ;;
      :open) compopt -o nospace 2> /dev/null ;;
      *) COMPREPLY+=("\${word#"$before"}") ;;
    esac
  done < <("\${words[0]/#\\~/$HOME}" ${completionWord} bash "\${words[@]:1}" 2> /dev/null)
}
complete -F _deskhand deskhand
`,
  zsh: `#compdef deskhand
# deskhand for zsh. Put this line into ~/.zshrc: source <(deskhand completion zsh)
_deskhand() {
  local -a values shown end
  local line value
  for line in "\${(@f)$("$words[1]" ${completionWord} zsh "\${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
    [[ -z $line ]] && continue
    if [[ $line == :files ]]; then
      end+=(-f)
    elif [[ $line == :open ]]; then
      end+=(-S '')
    else
      value=\${line%%$'\\t'*}
      values+=("$value")
      [[ $line == *$'\\t'* ]] && shown+=("$value  -- \${line#*$'\\t'}") || shown+=("$value")
    fi
  done
  (( $#values )) && compadd -V deskhand "\${(@)end}" -l -d shown -- "\${(@)values}"
}
if [[ $funcstack[1] == _deskhand ]]; then
  _deskhand "$@" # it is in $fpath and was called to load itself
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _deskhand deskhand
fi
`,
  fish: `# deskhand for fish. Save it once: deskhand completion fish > ~/.config/fish/completions/deskhand.fish
function __deskhand_words
    set -l words (commandline -opc) (commandline -ct)
    $words[1] ${completionWord} fish $words[2..-1] 2> /dev/null
end
complete -c deskhand -f -a '(__deskhand_words)'
`,
};

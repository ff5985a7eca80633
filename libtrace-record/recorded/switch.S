/* Calls a function on another stack. Calls and returns stay paired for the processor, and unwinders find the way back. */
#if defined(__x86_64__)
	.text
	.globl run_on_stack
	.hidden run_on_stack
	.type run_on_stack, @function
	.balign 16
run_on_stack:
	.cfi_startproc
	endbr64
	push %rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	mov %rdx, %rsp
	mov %rdi, %rax
	mov %rsi, %rdi
	call *%rax
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size run_on_stack, . - run_on_stack
#elif defined(__aarch64__)
	.text
	.globl run_on_stack
	.hidden run_on_stack
	.type run_on_stack, %function
	.balign 16
run_on_stack:
	.cfi_startproc
	hint 34 /* bti c */
	stp x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov x29, sp
	.cfi_def_cfa_register x29
	mov sp, x2
	mov x9, x0
	mov x0, x1
	blr x9
	mov sp, x29
	.cfi_def_cfa_register sp
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size run_on_stack, . - run_on_stack
#endif

	.section .note.GNU-stack, "", %progbits
